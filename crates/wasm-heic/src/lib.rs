//! The module that reads HEIC: loaded with the first such file, in a worker of its own. It sends raw rows to the
//! core.

#![allow(unreachable_pub, reason = "JavaScript imports the module")]

border::decoder!(codec_heic::open_with, codec_heic::find_gain_map);
