#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzz::read(codec_heic::open, bytes);
    fuzz::read_gain_map(codec_heic::open, codec_heic::find_gain_map, bytes);
});
