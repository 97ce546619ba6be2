/** Changes that name the version they mean, so that nobody undoes what they have not seen. */
import { Problem } from '@courier-fleet/api-types'
import type { FastifyRequest } from 'fastify'

/** As `ETag` has it. */
export const tagOfVersion = (version: number) => `"${version}"`

/** Undefined where none is named. @throws Problem 400 for what is no version: to go on would change what the caller may not have seen */
export function versionNamed({ headers }: FastifyRequest): number | undefined {
  const named = headers['if-match']
  if (named === undefined) return undefined
  const [, version] = /^"(\d{1,15})"$/.exec(named) ?? []
  if (version !== undefined) return Number(version)
  throw new Problem(400, 'invalid', 'If-Match: one version in quotes, as its ETag has it: "12"', 'if-match')
}

/** @throws Problem 400 · 428 `version-needed` */
export function versionMeant(request: FastifyRequest): number {
  return versionNamed(request) ?? needed()
}

function needed(): never {
  const detail = 'say which version you have read, as its ETag has it: If-Match: "12"'
  throw new Problem(428, 'version-needed', detail, 'if-match')
}
