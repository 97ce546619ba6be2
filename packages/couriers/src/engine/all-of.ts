/** Waits where there is something to wait for: hundreds of small messages a job would make a promise each for nothing. */
export async function allOf<T>(items: readonly (T | Promise<T>)[]): Promise<T[]> {
  return items.some((item) => item instanceof Promise) ? Promise.all(items) : (items as T[])
}
