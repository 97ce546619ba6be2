/** Plots as SVG text, readable on a light and on a dark page. */
import type { Figure, Series } from '../figures.ts'
import { number } from './number.ts'

export type Plot = BarsPlot | CurvesPlot

/** A pair of bars for each metric, each metric to a scale of its own. */
export interface BarsPlot {
  readonly kind: 'bars'
  readonly file: string
  readonly title: string
  readonly metrics: readonly string[]
}

/** All series recorded under the name of the file. */
export interface CurvesPlot {
  readonly kind: 'curves'
  readonly file: string
  readonly title: string
  readonly x: string
  readonly y: string
  readonly logX?: boolean
}

const width = 720
const palette = ['#2f7ed8', '#0d9f6e', '#7a4fcf', '#159cb5', '#4b6a88']
const theirPalette = ['#e4572e', '#f2a541', '#c0392b', '#d98880', '#935116']

export function drawPlot(plot: Plot, figures: readonly Figure[], series: readonly Series[]): string {
  return plot.kind === 'bars' ? drawBars(plot, figures) : drawCurves(plot, series)
}

function drawBars({ title, metrics }: BarsPlot, figures: readonly Figure[]): string {
  const left = 210
  const room = width - left - 130
  const parts: string[] = []
  let y = 48
  for (const figure of metrics.flatMap((name) => figures.filter(({ metric }) => metric === name))) {
    const sides = [
      { name: 'ours', value: figure.ours, color: palette[0] },
      { name: 'BullMQ', value: figure.theirs, color: theirPalette[0] },
    ].filter(({ value }) => value !== null)
    const most = Math.max(...sides.map(({ value }) => value as number))
    parts.push(text(12, y + 13, figure.metric, 'b'))
    for (const { name, value, color } of sides) {
      const length = most > 0 && Number.isFinite(value) ? Math.max(1, ((value as number) / most) * room) : 1
      parts.push(
        text(left - 8, y + 13, name, 'e'),
        `<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="18" fill="${color}"/>`,
        text(left + length + 6, y + 13, `${number(value)} ${figure.unit}`),
      )
      y += 22
    }
    y += 12
  }
  return svg(title, y + 4, parts)
}

function drawCurves({ file, title, x, y, logX = false }: CurvesPlot, all: readonly Series[]): string {
  const series = all.filter(({ plot }) => plot === file)
  const box = { left: 64, top: 64, right: width - 210, bottom: 340 }
  const xs = series.flatMap(({ points }) => points.map(([value]) => value))
  const ys = series.flatMap(({ points }) => points.map(([, value]) => value))
  const scaleX = scaleOf(xs, box.left, box.right, logX)
  const scaleY = scaleOf([0, ...ys], box.bottom, box.top, false)
  const parts: string[] = []
  for (const tick of scaleX.ticks)
    parts.push(
      line(scaleX.at(tick), box.top, scaleX.at(tick), box.bottom),
      text(scaleX.at(tick), box.bottom + 16, tickText(tick), 'm'),
    )
  for (const tick of scaleY.ticks)
    parts.push(
      line(box.left, scaleY.at(tick), box.right, scaleY.at(tick)),
      text(box.left - 6, scaleY.at(tick) + 4, tickText(tick), 'e'),
    )
  const used = { ours: 0, theirs: 0 }
  for (const [index, { name, points }] of series.entries()) {
    const color = name.startsWith('BullMQ')
      ? theirPalette[used.theirs++ % theirPalette.length]
      : palette[used.ours++ % palette.length]
    const path = points.map(([px, py]) => `${scaleX.at(px).toFixed(1)},${scaleY.at(py).toFixed(1)}`).join(' ')
    const at = box.top + 10 + index * 20
    parts.push(
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
      `<rect x="${box.right + 16}" y="${at - 9}" width="14" height="4" fill="${color}"/>`,
      text(box.right + 36, at, name),
    )
  }
  parts.push(text((box.left + box.right) / 2, box.bottom + 34, x, 'm'), text(12, box.top - 10, y))
  return svg(title, box.bottom + 46, parts)
}

interface Scale {
  readonly ticks: readonly number[]
  at(value: number): number
}

/** On a logarithmic scale what is below 1 is drawn at 1. */
function scaleOf(values: readonly number[], from: number, to: number, log: boolean): Scale {
  const finite = values.filter(Number.isFinite)
  const highest = finite.reduce((most, value) => Math.max(most, value), log ? 10 : Number.MIN_VALUE)
  if (log) {
    const decades = Math.ceil(Math.log10(highest))
    const ticks = Array.from({ length: decades + 1 }, (_unused, i) => 10 ** i)
    return { ticks, at: (value) => from + (Math.log10(Math.max(1, value)) / decades) * (to - from) }
  }
  const step = niceStep(highest / 5)
  const end = Math.ceil(highest / step) * step
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_unused, i) => i * step)
  return { ticks, at: (value) => from + (value / end) * (to - from) }
}

/** 1, 2 or 5 times a power of ten */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10)
}

/** without the zeros that make a figure look exact */
const tickText = (tick: number) => (Number.isInteger(tick) ? number(tick) : String(Number(tick.toPrecision(3))))

const anchors = { s: '', m: ' text-anchor="middle"', e: ' text-anchor="end"', b: ' font-weight="bold"' }

function text(x: number, y: number, words: string, how: keyof typeof anchors = 's'): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${anchors[how]}>${escaped}</text>`
}

const line = (x1: number, y1: number, x2: number, y2: number) =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`

function svg(title: string, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${Math.ceil(height)}" role="img" aria-label="${title}">`,
    '<style>text{font-family:system-ui,sans-serif;font-size:13px;fill:#222}line{stroke:#8884}.back{fill:#fff}',
    '@media(prefers-color-scheme:dark){text{fill:#ddd}.back{fill:#161b22}}</style>',
    `<rect class="back" width="${width}" height="${Math.ceil(height)}" rx="6"/>`,
    text(12, 24, title, 'b'),
    ...parts,
    '</svg>\n',
  ].join('\n')
}
