/** Everyone of a message as a dot on a canvas, in the order of its audience. What is painted is put on the screen once a frame. */

export interface ReplayWall {
  paint(person: number, peopleClass: number): void
  /** Only what was painted since the last time. */
  show(): void
}

const largestDot = 14
const height = 320
/** dots of so many pixels, and more, have one between them */
const apartFrom = 3

/**
 * Begins with everyone as they are now.
 * @param now of each person a class · @param colours of each class a pixel
 */
export function createReplayWall(canvas: HTMLCanvasElement, now: Uint8Array, colours: readonly number[]): ReplayWall {
  const size = now.length
  const scale = devicePixelRatio
  const width = Math.max(1, Math.round(canvas.clientWidth * scale))
  const room = Math.floor(Math.sqrt((width * height * scale) / Math.max(1, size)))
  const cell = Math.max(1, Math.min(room, Math.round(largestDot * scale), width))
  const columns = Math.floor(width / cell)
  const dot = cell >= apartFrom ? cell - 1 : cell
  canvas.width = width
  canvas.height = Math.max(1, Math.ceil(size / columns) * cell)
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const image = new ImageData(canvas.width, canvas.height)
  const pixels = new Uint32Array(image.data.buffer)
  let top = canvas.height
  let bottom = 0

  function paint(person: number, peopleClass: number) {
    const y = Math.floor(person / columns) * cell
    const first = y * width + (person % columns) * cell
    const colour = colours[peopleClass] ?? 0
    for (let row = 0, from = first; row < dot; row += 1, from += width) pixels.fill(colour, from, from + dot)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y + dot)
  }
  for (const [person, peopleClass] of now.entries()) paint(person, peopleClass)

  return {
    paint,
    show() {
      if (bottom > top) context.putImageData(image, 0, 0, 0, top, width, bottom - top)
      top = canvas.height
      bottom = 0
    },
  }
}

/** The colour of an element's background as a pixel has it, where the lowest byte comes first. */
export function pixelOf(element: Element): number {
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).backgroundColor.match(/\d+/g) ?? []).map(Number)
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}
