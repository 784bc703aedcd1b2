#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(codec_heic::open, bytes));
