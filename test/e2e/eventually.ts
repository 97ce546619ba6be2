/**
 * Asks again until the answer is there. @throws Error naming what was waited for after `timeoutMs`
 * @param ask undefined or false: not yet
 */
export async function eventually<T>(
  ask: () => Promise<T | undefined | false>,
  what: string,
  timeoutMs = 10_000,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > giveUpAt) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
