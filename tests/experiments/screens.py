"""Pages of a site beside small pictures of them that are stored.

Other fonts break lines elsewhere, so pictures are compared in cells of thirty pixels: a cell agrees where its mean colour is
near that of a cell at most one away, and a page where nine of ten cells agree. With other fonts (DejaVu Serif, Liberation
Sans) 0.92 or more of each page agree; of two pages at most 0.87. Whether the comparison still tells pages apart is tried
with every two stored pictures, and with a page that has lost its style.
"""

import base64
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / 'data' / 'site'
PAGES = {
    'first': 'index.html',
    'claim': 'claims/redundancy.lemma-5.html',
    'counterexample': 'claims/queueing.squares-drift-negative.html#case-queueing_squares-drift-negative--random-local--m2-uneven',
    'policy': 'policies/queueing-pandas-plain.html#chain',
}
VIEWS = {'light': (1280, 900, False), 'dark': (1280, 900, True), 'phone': (390, 844, False)}
CELL = 30
STORED = 4  # pixels of a stored picture for each cell, across and down
NEAR = 9  # of 255, in each colour
AGREEING = 0.9

SHRUNK = '''(async () => {
  const bytes = Uint8Array.from(atob("%s"), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
  let canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  const width = %d, height = %d;
  const from = canvas.getContext("2d").getImageData(0, 0, image.width, image.height).data;
  const to = new ImageData(width, height);
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) {
    const sum = [0, 0, 0];
    const left = Math.floor(x * image.width / width), right = Math.max(left + 1, Math.floor((x + 1) * image.width / width));
    const top = Math.floor(y * image.height / height), low = Math.max(top + 1, Math.floor((y + 1) * image.height / height));
    for (let v = top; v < low; ++v) for (let u = left; u < right; ++u)
      for (let c = 0; c < 3; ++c) sum[c] += from[4 * (v * image.width + u) + c];
    for (let c = 0; c < 3; ++c) to.data[4 * (y * width + x) + c] = Math.round(sum[c] / ((right - left) * (low - top)));
    to.data[4 * (y * width + x) + 3] = 255;
  }
  canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(to, 0, 0);
  const png = new Uint8Array(await (await canvas.convertToBlob({type: "image/png"})).arrayBuffer());
  return {width, height, pixels: [...to.data], png: btoa(String.fromCharCode(...png))};
})()'''


def cells(browser, png, across, down):
    """Mean colours of a picture in base64, row by row."""
    pixels = browser.run(SHRUNK % (png, across, down))['pixels']
    return [[tuple(pixels[4 * (y * across + x):4 * (y * across + x) + 3]) for x in range(across)] for y in range(down)]


def agreement(one, other):
    """Part of the cells that agree with a cell near the same place; none of pictures of other sizes."""
    if len(one) != len(other) or len(one[0]) != len(other[0]):
        return 0.0

    def agrees(a, b, x, y):
        near = [b[v][u] for v in range(max(0, y - 1), min(len(b), y + 2)) for u in range(max(0, x - 1), min(len(b[0]), x + 2))]
        return any(max(abs(p - q) for p, q in zip(a[y][x], colour)) <= NEAR for colour in near)

    places = [(x, y) for y in range(len(one)) for x in range(len(one[0]))]
    return min(sum(agrees(a, b, x, y) for x, y in places) / len(places) for a, b in ((one, other), (other, one)))


def opened(browser, site, address, view):
    """Opens a page where its mark is, and gives the window's size in cells."""
    width, height, dark = VIEWS[view]
    path, _, mark = address.partition('#')
    browser.open((site / path).as_uri() + ('#' + mark if mark else ''), width, dark, height)
    browser.run(f'document.getElementById("{mark}")?.scrollIntoView()')
    browser.run('new Promise((done) => setTimeout(done, 200))')
    return width // CELL, height // CELL


def compared(browser, site, renew):
    """What differs from the stored pictures, as lines; with `renew` they are taken anew."""
    wrong, stored = [], {}
    for page, address in PAGES.items():
        for view in VIEWS:
            across, down = opened(browser, site, address, view)
            now = browser.screenshot()
            file = FOLDER / f'{page}-{view}.png'
            if renew:
                FOLDER.mkdir(exist_ok=True)
                small = browser.run(SHRUNK % (now, STORED * across, STORED * down))
                file.write_bytes(base64.b64decode(small['png']))
            if not file.exists():
                wrong.append(f'{file.name} is not stored; --renew takes it')
                continue
            stored[page, view] = cells(browser, base64.b64encode(file.read_bytes()).decode(), across, down)
            found = agreement(stored[page, view], cells(browser, now, across, down))
            if found < AGREEING:
                wrong.append(f'{address}, {view}: {found:.2f} of it looks as in {file.name}')
    for page, view in stored:
        across, down = opened(browser, site, PAGES[page], view)
        browser.run('document.querySelector("link[rel=stylesheet]").remove()')
        if agreement(stored[page, view], cells(browser, browser.screenshot(), across, down)) >= AGREEING:
            wrong.append(f'{page}, {view}, looks the same without its style')
    names = sorted(stored)
    for i, one in enumerate(names):
        for other in names[i + 1:]:
            if agreement(stored[one], stored[other]) >= AGREEING:
                wrong.append(f'the stored pictures {one} and {other} cannot be told apart')
    return wrong
