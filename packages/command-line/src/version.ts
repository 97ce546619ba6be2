import { readFileSync } from 'node:fs'

/** Of this package, as its manifest says. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}
