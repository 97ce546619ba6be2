/** Where the stand-ins listened last time, so that a restarted sandbox is found where it was. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** of one stand-in, by its own names for them */
type Ports = Readonly<Record<string, number>>
type KnownPorts = Record<string, Ports>

export function rememberedPorts(dataDir: string | undefined) {
  const file = dataDir === undefined ? undefined : join(dataDir, 'sandbox-ports.json')
  const known = file === undefined ? {} : read(file)
  return {
    /** Starts it on the ports of last time, or on any free ones where another has taken one since. */
    async listen<T extends { readonly ports: Ports }>(name: string, start: (ports: Ports) => Promise<T>): Promise<T> {
      const started = await start(known[name] ?? {}).catch((error: unknown) => {
        if (!isTaken(error)) throw error
        return start({})
      })
      known[name] = started.ports
      return started
    },
    save(): void {
      if (file === undefined || dataDir === undefined) return
      mkdirSync(dataDir, { recursive: true })
      writeFileSync(file, `${JSON.stringify(known)}\n`)
    },
  }
}

function read(file: string): KnownPorts {
  try {
    const known: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(known) && Object.values(known).every(arePorts) ? (known as KnownPorts) : {}
  } catch {
    // the first start, or a file that was cut short: new ports do as well
    return {}
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const arePorts = (ports: unknown) => isObject(ports) && Object.values(ports).every(isPort)
const isPort = (port: unknown) => Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
}
