//! The module that reads AVIF: loaded with the first such file, in a worker of its own. It sends raw rows to the
//! core.

#![allow(unreachable_pub, reason = "JavaScript imports the module")]

border::decoder!(codec_avif::open_with, codec_avif::find_gain_map);
