/** Progress on stderr: a block rewritten in place on a terminal, a line for each change elsewhere. */
export interface Progress {
  /** @param block what a terminal shows instead of the line; may have several lines */
  show(line: string, block?: string): void
  end(): void
}

export function createProgress(stream: NodeJS.WriteStream, quiet: boolean): Progress {
  let last = ''
  /** lines that stand on the terminal */
  let height = 0

  function clear(): void {
    if (height > 0) stream.write(`\r${height > 1 ? `\x1b[${height - 1}A` : ''}\x1b[J`)
    height = 0
  }

  function rewrite(block: string): void {
    const width = (stream.columns || 80) - 1
    const lines = block.split('\n').map((line) => line.slice(0, width))
    clear()
    stream.write(lines.join('\n'))
    height = lines.length
  }

  return {
    show(line, block = line) {
      const text = stream.isTTY ? block : line
      if (quiet || text === last) return
      if (stream.isTTY) rewrite(text)
      else stream.write(`${text}\n`)
      last = text
    },
    end() {
      clear()
      last = ''
    },
  }
}

const barWidth = 30

export function bar(done: number, total: number): string {
  const filled = total > 0 ? Math.round(barWidth * Math.min(1, done / total)) : barWidth
  return '█'.repeat(filled) + '░'.repeat(barWidth - filled)
}
