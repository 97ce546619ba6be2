import { smpp } from './protocol.ts'

const names = new Map(Object.entries(smpp.errors).map(([name, status]) => [status, name]))

/** The name of a command status (SMPP 3.4, 5.1.3). */
export function statusName(status: number): string {
  return names.get(status) ?? `0x${status.toString(16).toUpperCase().padStart(8, '0')}`
}
