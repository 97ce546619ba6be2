const everyMs = 20

/**
 * Asks again until there is an answer. @throws Error naming what was waited for after `timeoutMs`, and when one question is not answered for so long
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
    const answer = await answered(ask(), what, timeoutMs)
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > giveUpAt) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

async function answered<T>(answer: T | Promise<T>, what: string, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const never = new Promise<never>((_resolve, reject) => {
    const late = new Error(`asked whether it is so, and had no answer for ${timeoutMs} ms, until ${what}`)
    timer = setTimeout(() => reject(late), timeoutMs)
  })
  try {
    return await Promise.race([answer, never])
  } finally {
    clearTimeout(timer)
  }
}
