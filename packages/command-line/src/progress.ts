/** Progress on stderr: a block rewritten in place on a terminal, a line for each change elsewhere. */
import { createLogUpdate } from 'log-update'
import sliceAnsi from 'slice-ansi'

export interface Progress {
  /** @param block what a terminal shows instead of the line; may have several lines */
  show(line: string, block?: string): void
  end(): void
}

export function createProgress(stream: NodeJS.WriteStream, quiet: boolean): Progress {
  let last = ''
  const inPlace = stream.isTTY ? blockOn(stream) : undefined

  return {
    show(line, block = line) {
      const text = inPlace ? block : line
      if (quiet || text === last) return
      if (inPlace) inPlace.show(text)
      else stream.write(`${text}\n`)
      last = text
    },
    end() {
      inPlace?.clear()
      last = ''
    },
  }
}

/** Lines that are rewritten in place, cut to the width of the terminal. */
export function blockOn(stream: NodeJS.WriteStream) {
  const screen = {
    isTTY: true,
    write: (text: string) => stream.write(text),
    // some terminals do not know their size
    get columns() {
      return stream.columns || 80
    },
    get rows() {
      return stream.rows || 24
    },
  }
  const update = createLogUpdate(screen as NodeJS.WriteStream, { showCursor: true })
  const cut = (line: string) => sliceAnsi(line, 0, screen.columns - 1)
  return {
    show: (block: string) => update(block.split('\n').map(cut).join('\n')),
    clear: () => update.clear(),
    /** leaves what stands there */
    done: () => update.done(),
  }
}

const barWidth = 30

export function bar(done: number, total: number): string {
  const filled = total > 0 ? Math.round(barWidth * Math.min(1, done / total)) : barWidth
  return '█'.repeat(filled) + '░'.repeat(barWidth - filled)
}
