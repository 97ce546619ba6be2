/** A progress line: rewritten in place on a terminal, a line for each change elsewhere. */
export interface Progress {
  show(text: string): void
  end(): void
}

export function createProgress(stream: NodeJS.WriteStream, quiet: boolean): Progress {
  let last = ''
  return {
    show(text) {
      if (quiet || text === last) return
      stream.write(stream.isTTY ? `\r\x1b[K${text.slice(0, (stream.columns ?? 80) - 1)}` : `${text}\n`)
      last = text
    },
    end() {
      if (stream.isTTY && last !== '') stream.write('\r\x1b[K')
    },
  }
}
