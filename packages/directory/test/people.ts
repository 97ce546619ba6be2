import { Problem, type Role } from '@courier-fleet/api-types'
import type { Person } from '../src/directory.ts'

export function aPerson(id: string, role: Role = 'student'): Person {
  return { id, name: `Person ${id}`, role, timeZone: 'Europe/Moscow', language: 'ru' }
}

/** The Problem this call ends with. */
export async function rejection(call: Promise<unknown>): Promise<Problem> {
  try {
    await call
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('it was accepted')
}
