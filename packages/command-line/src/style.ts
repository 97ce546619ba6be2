/** How an answer looks on a terminal, and in a pipe, where it is to be read by programs: no colours, and moments as the API writes them. */
import picocolors from 'picocolors'
import type { Terminal } from './terminal.ts'

export type Colours = ReturnType<typeof picocolors.createColors>

/** Colours where the stream is a terminal, unless NO_COLOR (no-color.org) says otherwise or the terminal has none. */
export function coloursOn(
  stream: { readonly isTTY?: boolean } | undefined,
  { NO_COLOR, TERM }: Terminal['env'],
): Colours {
  return picocolors.createColors(stream?.isTTY === true && !NO_COLOR && TERM !== 'dumb')
}
