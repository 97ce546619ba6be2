import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type PortName = 'telegram' | 'vk' | 'smpp' | 'sendsms'
type Ports = Partial<Record<PortName, number>>

/** Ports of last time, so that a restarted sandbox is found where it was; any free one where another has taken it since. */
export function rememberedPorts(dataDir: string | undefined) {
  const file = dataDir === undefined ? undefined : join(dataDir, 'sandbox-ports.json')
  const known = file === undefined ? {} : read(file)
  return {
    async listen<T>(names: readonly PortName[], start: (...ports: [number, number]) => Promise<T>): Promise<T> {
      const [first = 0, second = 0] = names.map((name) => known[name] ?? 0)
      try {
        return await start(first, second)
      } catch (error) {
        if (!isTaken(error)) throw error
        return await start(0, 0)
      }
    },
    remember(ports: Required<Ports>): void {
      if (file === undefined || dataDir === undefined) return
      mkdirSync(dataDir, { recursive: true })
      writeFileSync(file, `${JSON.stringify(ports)}\n`)
    },
  }
}

function read(file: string): Ports {
  try {
    const ports: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const isPort = (port: unknown) => Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536
    return typeof ports === 'object' && ports !== null && Object.values(ports).every(isPort) ? (ports as Ports) : {}
  } catch {
    // the first start, or a file that was cut short: new ports do as well
    return {}
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
}
