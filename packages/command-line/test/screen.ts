/** A terminal as somebody sees it: what is written to the stream, obeyed by one that is emulated. */
import { PassThrough } from 'node:stream'
import * as xterm from '@xterm/headless'

export function screen(isTTY: boolean, columns = 20, rows = 10) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns, rows }) as unknown as NodeJS.WriteStream
  const terminal = new xterm.Terminal({ cols: columns || 20, rows, convertEol: true, allowProposedApi: true })
  const written = () => String((stream as unknown as PassThrough).read() ?? '')
  return {
    stream,
    written,
    /** line by line */
    async seen(): Promise<string[]> {
      await new Promise<void>((resolve) => terminal.write(written(), resolve))
      const { active } = terminal.buffer
      const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
      return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
    },
  }
}
