#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzz::read(codec_avif::open, bytes);
    fuzz::read_gain_map(codec_avif::open, codec_avif::find_gain_map, bytes);
});
