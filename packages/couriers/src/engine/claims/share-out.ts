import type { MessageClass } from '@courier-fleet/api-types'

/**
 * Takes at most `max` from these sources, the classes sharing them by their weights; what one leaves the others take.
 * @returns what was taken, and the sources that may have more
 */
export async function shareOut<S extends { readonly cls: MessageClass }, T>(
  sources: readonly S[],
  max: number,
  weights: Readonly<Record<MessageClass, number>>,
  take: (source: S, count: number) => Promise<readonly T[]>,
): Promise<{ claims: T[]; more: readonly S[] }> {
  const claims: T[] = []
  let open = sources
  while (open.length > 0 && claims.length < max) {
    const left = max - claims.length
    const weightSum = open.reduce((sum, { cls }) => sum + weights[cls], 0)
    const found = await Promise.all(
      open.map(async (source) => {
        const count = Math.ceil((left * weights[source.cls]) / weightSum)
        const own = await take(source, count)
        return { source, own, isFull: own.length === count }
      }),
    )
    for (const { own } of found) claims.push(...own)
    open = found.filter(({ isFull }) => isFull).map(({ source }) => source)
  }
  return { claims, more: open }
}
