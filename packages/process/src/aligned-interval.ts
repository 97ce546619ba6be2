/**
 * What a process does again and again falls together: at multiples of its interval since the process began. One that has nothing else to do is
 * woken for all of it at once, for being woken costs more than most of what it then does.
 */

/** Until the next multiple of `ms`; where that is nearer than a tenth of it, until the one after. */
export function untilAligned(ms: number): number {
  const now = performance.now()
  return (Math.floor(now / ms + 0.1) + 1) * ms - now
}

/** Calls at every multiple of `ms`, and keeps no process alive. @returns stops it */
export function alignedInterval(ms: number, action: () => void): () => void {
  let timer: NodeJS.Timeout
  function wait(): void {
    timer = setTimeout(
      () => {
        wait()
        action()
      },
      Math.ceil(untilAligned(ms)),
    ).unref()
  }
  wait()
  return () => clearTimeout(timer)
}
