/** As Promise.all(), of values most of which are there: a promise for each would cost more than what is done with it. */
export async function allOf<T>(values: readonly (T | Promise<T>)[]): Promise<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[])
}
