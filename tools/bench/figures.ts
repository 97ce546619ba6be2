/** What a case measured, run by run, and what the targets say of it. */
import { median, spread } from './statistics.ts'

/** All that are named must hold. */
export interface Target {
  readonly most?: number
  readonly least?: number
  /** times what the other side took in the same runs */
  readonly maxTimesTheirs?: number
  readonly leastTimesTheirs?: number
}

export interface Metric {
  readonly unit: string
  readonly target?: Target
  /** what is worth knowing beside the number */
  readonly note?: string
}

/** One line of the result; `ours` and `theirs` are medians of the runs. */
export interface Figure {
  readonly case: string
  readonly metric: string
  readonly unit: string
  /** null: not measured, or void */
  readonly ours: number | null
  readonly theirs: number | null
  /** ours / theirs */
  readonly ratio: number | null
  readonly target: string | null
  /** null without a target */
  readonly met: boolean | null
  readonly runs: number
  readonly spread: { readonly ours: Spread; readonly theirs: Spread }
  readonly note?: string
}

/** Whether it was to be measured and could not be, or is worth nothing. */
export const isVoid = ({ ours, met }: Figure) => ours === null && met === false

type Spread = readonly [lowest: number, highest: number] | null
export type Side = 'ours' | 'theirs'

/** A curve for a plot, such as people served over time. */
export interface Series {
  readonly plot: string
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Record {
  ours(metric: string, value: number): void
  theirs(metric: string, value: number): void
  /** A message was lost or doubled, a receipt told a lie: what this side took is worth nothing. */
  spoil(side: Side, why: string, metrics?: readonly string[]): void
  /** the last of one name is kept */
  series(series: Series): void
  /** something learnt that is no figure; the last under one heading is kept */
  remark(heading: string, text: string): void
}

export interface Recorder extends Record {
  figures(): Figure[]
  curves(): Series[]
  remarks(): { heading: string; text: string }[]
}

/** @param metrics everything the case may record; in this order it is told */
export function createRecorder(caseName: string, metrics: Readonly<{ [metric: string]: Metric }>): Recorder {
  const values = { ours: new Map<string, number[]>(), theirs: new Map<string, number[]>() }
  const spoilt = { ours: new Map<string, string>(), theirs: new Map<string, string>() }
  const curves = new Map<string, Series>()
  const remarks = new Map<string, string>()

  function add(side: Side, metric: string, value: number): void {
    if (!metrics[metric]) throw new Error(`the case ${caseName} has no metric "${metric}"`)
    const list = values[side].get(metric) ?? []
    list.push(value)
    values[side].set(metric, list)
  }

  function figureOf(metric: string, { unit, target, note }: Metric): Figure[] {
    const [ours = [], theirs = []] = [values.ours.get(metric), values.theirs.get(metric)]
    const why = { ours: spoilt.ours.get(metric), theirs: spoilt.theirs.get(metric) }
    if (ours.length + theirs.length === 0 && !why.ours && !why.theirs) return []
    const own = why.ours || ours.length === 0 ? null : median(ours)
    const other = why.theirs || theirs.length === 0 ? null : median(theirs)
    const notes = [note, why.ours && `void: ${why.ours}`, why.theirs && `BullMQ's is void: ${why.theirs}`]
    return [
      {
        case: caseName,
        metric,
        unit,
        ours: own,
        theirs: other,
        ratio: own === null || other === null || other === 0 ? null : own / other,
        target: target ? describeTarget(target) : null,
        met: target ? meets(target, own, other) : why.ours ? false : null,
        runs: Math.max(ours.length, theirs.length),
        spread: { ours: own === null ? null : spread(ours), theirs: other === null ? null : spread(theirs) },
        ...(notes.some(Boolean) ? { note: notes.filter(Boolean).join('; ') } : {}),
      },
    ]
  }

  return {
    ours: (metric, value) => add('ours', metric, value),
    theirs: (metric, value) => add('theirs', metric, value),
    spoil(side, why, names = Object.keys(metrics)) {
      for (const name of names) if (!spoilt[side].has(name)) spoilt[side].set(name, why)
    },
    series: (series) => void curves.set(`${series.plot} ${series.name}`, series),
    remark: (heading, text) => void remarks.set(heading, text),
    figures: () => Object.entries(metrics).flatMap(([name, metric]) => figureOf(name, metric)),
    curves: () => [...curves.values()],
    remarks: () => [...remarks].map(([heading, text]) => ({ heading, text })),
  }
}

export function describeTarget({ most, least, maxTimesTheirs, leastTimesTheirs }: Target): string {
  return [
    most !== undefined && `≤ ${most}`,
    least !== undefined && `≥ ${least}`,
    maxTimesTheirs !== undefined && `≤ ${maxTimesTheirs} × BullMQ`,
    leastTimesTheirs !== undefined && `≥ ${leastTimesTheirs} × BullMQ`,
  ]
    .filter(Boolean)
    .join(' and ')
}

/** What cannot be told is not met. */
export function meets(target: Target, ours: number | null, theirs: number | null): boolean {
  if (ours === null) return false
  const { most, least, maxTimesTheirs, leastTimesTheirs } = target
  if (most !== undefined && !(ours <= most)) return false
  if (least !== undefined && !(ours >= least)) return false
  if (maxTimesTheirs === undefined && leastTimesTheirs === undefined) return true
  if (theirs === null) return false
  if (maxTimesTheirs !== undefined && !(ours <= maxTimesTheirs * theirs)) return false
  return leastTimesTheirs === undefined || ours >= leastTimesTheirs * theirs
}
