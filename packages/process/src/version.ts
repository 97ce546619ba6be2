import { readFileSync } from 'node:fs'

let found: string | undefined

/** Of this build of courier-fleet, as the manifest of the repository said when it was first asked: what lies there later is no matter of a process that runs. */
export function fleetVersion(): string {
  found ??= (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version
  return found
}
