/** What a button of VK carries that confirms a message, and that token again in what VK tells of a press. */

export const confirmPayload = (token: string): string => JSON.stringify({ confirm: token })

/** @param payload as VK has read it; undefined where it confirms nothing */
export function tokenIn(payload: unknown): string | undefined {
  const { confirm } = typeof payload === 'object' && payload !== null ? (payload as { confirm?: unknown }) : {}
  return typeof confirm === 'string' ? confirm : undefined
}
