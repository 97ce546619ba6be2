const everyMs = 20

/**
 * Asks again until there is an answer. @throws Error naming what was waited for after `timeoutMs`
 * @param ask undefined or false: not yet
 * @returns the answer
 */
export async function until<T>(
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  timeoutMs = 180_000,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > giveUpAt) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
