//! HEIF files (ISO/IEC 23008-12), written item by item around data that an encoder made.

/// An item of a file. Its number is its position in the list, from 1.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// Its type: `hvc1`, `grid`, `mime` …
    pub kind: [u8; 4],
    /// The MIME type of an item `mime`.
    pub content_type: &'static str,
    /// Its data.
    pub data: Vec<u8>,
    /// The boxes of its properties. Equal ones are stored once.
    pub properties: Vec<Vec<u8>>,
    /// The kinds of its references, each with the numbers of other items.
    pub references: Vec<([u8; 4], Vec<u16>)>,
}

/// Returns a box.
#[must_use]
pub fn boxed(kind: &[u8; 4], contents: &[u8]) -> Vec<u8> {
    [&(contents.len() as u32 + 8).to_be_bytes(), &kind[..], contents].concat()
}

/// Returns a box whose contents begin with a version and no flags.
#[must_use]
pub fn versioned(kind: &[u8; 4], version: u8, contents: &[u8]) -> Vec<u8> {
    boxed(kind, &[&[version, 0, 0, 0], contents].concat())
}

/// Returns the property `ispe`.
#[must_use]
pub fn extent(width: u32, height: u32) -> Vec<u8> {
    versioned(b"ispe", 0, &[width, height].map(u32::to_be_bytes).concat())
}

/// Returns a file that shows the item `shown`.
#[must_use]
pub fn file(brand: &[u8; 4], shown: u16, items: &[Item]) -> Vec<u8> {
    let mut all: Vec<&Vec<u8>> = Vec::new();
    let mut associations = (items.len() as u32).to_be_bytes().to_vec();
    let mut entries = (items.len() as u16).to_be_bytes().to_vec();
    let mut references = Vec::new();
    for (id, item) in (1_u16..).zip(items) {
        let indexes = item.properties.iter().map(|property| {
            let index = all.iter().position(|other| *other == property).unwrap_or_else(|| {
                all.push(property);
                all.len() - 1
            });
            0x80 | (index as u8 + 1)
        });
        let indexes: Vec<_> = indexes.collect();
        associations.extend([&id.to_be_bytes()[..], &[indexes.len() as u8], &indexes].concat());
        let entry = [&id.to_be_bytes()[..], &[0, 0], &item.kind, &[0], item.content_type.as_bytes(), &[0]].concat();
        // A flag hides the parts of the picture from programs that list pictures.
        entries.extend(boxed(b"infe", &[&[2, 0, 0, u8::from(id != shown)], &entry[..]].concat()));
        for (kind, to) in &item.references {
            let numbers = [id, to.len() as u16].into_iter().chain(to.iter().copied());
            references.extend(boxed(kind, &numbers.flat_map(u16::to_be_bytes).collect::<Vec<_>>()));
        }
    }
    let properties: Vec<u8> = all.into_iter().flatten().copied().collect();
    let head = |start: usize| {
        let mut places = [&[0x44, 0][..], &(items.len() as u16).to_be_bytes()].concat();
        let mut at = start as u32;
        for (id, item) in (1_u16..).zip(items) {
            let len = item.data.len() as u32;
            places.extend([&id.to_be_bytes()[..], &[0; 4], &[0, 1], &at.to_be_bytes(), &len.to_be_bytes()].concat());
            at += len;
        }
        let parts = [
            versioned(b"hdlr", 0, b"\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0"),
            versioned(b"pitm", 0, &shown.to_be_bytes()),
            versioned(b"iinf", 0, &entries),
            versioned(b"iref", 0, &references),
            boxed(b"iprp", &[boxed(b"ipco", &properties), versioned(b"ipma", 0, &associations)].concat()),
            versioned(b"iloc", 1, &places),
        ];
        let kinds = [&brand[..], &[0; 4], b"mif1", brand].concat();
        [boxed(b"ftyp", &kinds), versioned(b"meta", 0, &parts.concat())].concat()
    };
    let data: Vec<u8> = items.iter().flat_map(|item| item.data.iter().copied()).collect();
    [head(head(0).len() + 8), boxed(b"mdat", &data)].concat()
}
