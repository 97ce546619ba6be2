/** How an answer looks on a terminal, and in a pipe, where it is to be read by programs: no colours, and moments as the API writes them. */
import picocolors from 'picocolors'
import type { Terminal } from './terminal.ts'

export type Colours = ReturnType<typeof picocolors.createColors>

export interface Look {
  readonly colours: Colours
  /** ISO 8601, or Unix ms: on a terminal in the zone of whoever sits there, and naming it */
  moment(at: string | number): string
  /** `2026-11-22` of Unix ms: on a terminal the day of whoever sits there, else that of UTC, as moments are */
  day(at: number): string
}

export function lookOf({ screen, env }: Pick<Terminal, 'screen' | 'env'>): Look {
  return { colours: coloursOn(screen, env), moment: screen ? localMoment : isoMoment, day: screen ? localDay : isoDay }
}

/** Colours where the stream is a terminal, unless NO_COLOR (no-color.org) says otherwise or the terminal has none. */
export function coloursOn(
  stream: { readonly isTTY?: boolean } | undefined,
  { NO_COLOR, TERM }: Terminal['env'],
): Colours {
  return picocolors.createColors(stream?.isTTY === true && !NO_COLOR && TERM !== 'dumb')
}

const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10)
// Swedish writes days as ISO 8601 does
const localDay = (at: number) => new Date(at).toLocaleDateString('sv')
const isoMoment = (at: string | number) => (typeof at === 'string' ? at : new Date(at).toISOString())

/** `Sun, 22 Nov 2026, 21:40:05 GMT+3` */
function localMoment(at: string | number): string {
  const form: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }
  return new Date(at).toLocaleString('en-GB', form)
}
