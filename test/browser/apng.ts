/**
 * Animated PNG from the screenshots of a browser: https://www.w3.org/TR/png-3/#apng-frame-based-animation. Each frame after the first
 * holds only the rectangle in which something changed, and is transparent where nothing did.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

export interface Frame {
  /** of one size all, as the browser writes them: 8 bits a channel, RGB or RGBA, not interlaced */
  readonly png: Buffer
  readonly shownMs: number
}

interface Image {
  readonly width: number
  readonly height: number
  /** RGBA */
  readonly pixels: Buffer
}

interface Rectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const over = 1

/** It is shown again and again. @throws Error when a frame is no such PNG, or of another size */
export function animate(frames: readonly Frame[]): Buffer {
  const steps: { pixels: Buffer; at: Rectangle; shownMs: number }[] = []
  let before: Image | undefined
  for (const { png, shownMs } of frames) {
    const image = decode(png)
    const change = before ? changeOf(before, image) : { at: { left: 0, top: 0, ...image }, pixels: image.pixels }
    const last = steps.at(-1)
    if (change) steps.push({ ...change, shownMs })
    else if (last) last.shownMs += shownMs
    before = image
  }
  if (!before) throw new Error('no frames')

  let sequence = 0
  const body = steps.flatMap(({ pixels, at, shownMs }, index) => {
    const control = chunk(
      'fcTL',
      uint32(sequence++),
      uint32(at.width, at.height, at.left, at.top),
      delay(shownMs),
      Buffer.from([0, over]),
    )
    const data = deflateSync(filtered(pixels, at.width), { level: 9 })
    return [control, index === 0 ? chunk('IDAT', data) : chunk('fdAT', uint32(sequence++), data)]
  })
  const header = chunk('IHDR', uint32(before.width, before.height), Buffer.from([8, 6, 0, 0, 0]))
  return Buffer.concat([signature, header, chunk('acTL', uint32(steps.length, 0)), ...body, chunk('IEND')])
}

export function decode(png: Buffer): Image {
  let width = 0
  let height = 0
  let bytesPerPixel = 0
  const data: Buffer[] = []
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const name = png.toString('latin1', at + 4, at + 8)
    const content = png.subarray(at + 8, at + 8 + length)
    if (name === 'IHDR') {
      width = content.readUInt32BE(0)
      height = content.readUInt32BE(4)
      bytesPerPixel = { 2: 3, 6: 4 }[content[9] as number] ?? 0
      if (content[8] !== 8 || bytesPerPixel === 0 || content[12] !== 0)
        throw new Error('not a PNG as browsers write them')
    } else if (name === 'IDAT') data.push(content)
    at += 12 + length
  }
  const raw = unfiltered(inflateSync(Buffer.concat(data)), width * bytesPerPixel, bytesPerPixel)
  const pixels = Buffer.alloc(width * height * 4, 255)
  for (let i = 0; i < width * height; i++) raw.copy(pixels, i * 4, i * bytesPerPixel, (i + 1) * bytesPerPixel)
  return { width, height, pixels }
}

/** What is drawn over the frame before; undefined when they are the same. */
function changeOf(before: Image, after: Image): { at: Rectangle; pixels: Buffer } | undefined {
  const { width, height } = after
  if (before.width !== width || before.height !== height) throw new Error('frames are of one size')
  const old = new Uint32Array(before.pixels.buffer, before.pixels.byteOffset, width * height)
  const now = new Uint32Array(after.pixels.buffer, after.pixels.byteOffset, width * height)
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let i = 0; i < now.length; i++) {
    if (old[i] === now[i]) continue
    const x = i % width
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, (i - x) / width)
    bottom = (i - x) / width
  }
  if (bottom < 0) return undefined
  const at = { left, top, width: right - left + 1, height: bottom - top + 1 }
  const pixels = Buffer.alloc(at.width * at.height * 4)
  for (let y = 0; y < at.height; y++)
    for (let x = 0; x < at.width; x++) {
      const i = (top + y) * width + left + x
      if (old[i] !== now[i]) after.pixels.copy(pixels, (y * at.width + x) * 4, i * 4, i * 4 + 4)
    }
  return { at, pixels }
}

/** Undoes the five filters: https://www.w3.org/TR/png-3/#9Filter-types */
function unfiltered(data: Buffer, stride: number, distance: number): Buffer {
  const rows = data.length / (stride + 1)
  const raw = Buffer.alloc(rows * stride)
  for (let y = 0; y < rows; y++) {
    const filter = data[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= distance ? (raw[at - distance] as number) : 0
      const up = y > 0 ? (raw[at - stride] as number) : 0
      const corner = x >= distance && y > 0 ? (raw[at - stride - distance] as number) : 0
      const predicted = [0, left, up, (left + up) >> 1, filter === 4 ? paeth(left, up, corner) : 0][filter as number]
      raw[at] = (data[y * (stride + 1) + 1 + x] as number) + (predicted as number)
    }
  }
  return raw
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** Flat areas and repeated glyphs pack best as they are. */
function filtered(pixels: Buffer, width: number): Buffer {
  const stride = width * 4
  const rows = pixels.length / stride
  const lines = Array.from({ length: rows }, (_, y) => [
    Buffer.from([0]),
    pixels.subarray(y * stride, (y + 1) * stride),
  ])
  return Buffer.concat(lines.flat())
}

function chunk(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), ...content])
  return Buffer.concat([uint32(body.length - 4), body, uint32(crc32(body))])
}

function uint32(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4)
  return bytes
}

function delay(ms: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16BE(Math.round(ms), 0)
  bytes.writeUInt16BE(1000, 2)
  return bytes
}
