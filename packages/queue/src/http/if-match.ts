/** Changes that name the version they mean, so that nobody undoes what they have not seen. */
import { Problem } from '@courier-fleet/api-types'
import type { FastifyRequest } from 'fastify'

/** As `ETag` has it. */
export const tagOfVersion = (version: number) => `"${version}"`

/** Undefined where none is named. */
export function versionNamed({ headers }: FastifyRequest): number | undefined {
  const [, version] = /^"(\d{1,15})"$/.exec(headers['if-match'] ?? '') ?? []
  return version === undefined ? undefined : Number(version)
}

/** @throws Problem 428 `version-needed` */
export function versionMeant(request: FastifyRequest): number {
  return versionNamed(request) ?? needed()
}

function needed(): never {
  const detail = 'say which version you have read, as its ETag has it: If-Match: "12"'
  throw new Problem(428, 'version-needed', detail, 'if-match')
}
