/** Another version of the fleet, to be upgraded to and back from: no older build is needed, see next-version.mjs. */
import { scriptSha } from '@courier-fleet/store'
import { asNextVersion } from './next-version.mjs'
import type { Environment } from './processes.ts'

export const nextVersion: {
  /** for node, before each program of a fleet of which some are to be of the next version */
  readonly nodeArguments: readonly string[]
  /** for each process that is */
  readonly env: Environment
} = {
  nodeArguments: ['--import', new URL('./next-version.mjs', import.meta.url).href],
  env: { NEXT_VERSION: 'on' },
}

/** The hashes by which Redis knows lua/<name>.lua, of this version and of the next. */
export const scriptShas = (name: string): readonly string[] => [scriptSha(name), asNextVersion(() => scriptSha(name))]
