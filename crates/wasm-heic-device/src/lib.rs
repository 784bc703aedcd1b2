//! The module that reads HEIC without a decoder of HEVC: the device decodes the pictures. It is for sites without
//! `wasm-heic`.

#![allow(unreachable_pub, reason = "JavaScript imports the module")]

border::decoder!(codec_heic::open_with, codec_heic::find_gain_map);
