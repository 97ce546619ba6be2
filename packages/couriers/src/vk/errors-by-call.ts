/**
 * Which error is of which call of an execute. VK lists them beside the results, in the calls' order and with no more than the
 * method, and VKScript cannot read them: they can be told apart only where as many calls of a method failed as have errors.
 */
import type { ExecuteError } from './api-call.ts'

/**
 * @param failed the method of each call that failed; undefined for one that did not
 * @returns for each call its error; undefined where it might be another's
 */
export function errorsByCall(
  failed: readonly (string | undefined)[],
  errors: readonly ExecuteError[],
): readonly (ExecuteError | undefined)[] {
  const byMethod = new Map<string, ExecuteError[]>()
  for (const method of failed)
    if (method !== undefined && !byMethod.has(method)) byMethod.set(method, ownErrors(method, failed, errors))
  return failed.map((method) => (method === undefined ? undefined : byMethod.get(method)?.shift()))
}

function ownErrors(
  method: string,
  failed: readonly (string | undefined)[],
  errors: readonly ExecuteError[],
): ExecuteError[] {
  const own = errors.filter((error) => error.method === method)
  return own.length === failed.filter((each) => each === method).length ? own : []
}
