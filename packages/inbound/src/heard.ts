/** Tells the fleet what was heard of a contact, so that it is written to again, or not any more. */
import type { HeardInput, HeardView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { isProblem } from './api-problems.ts'

/** @returns undefined for a stranger. @throws ApiError · UnreachableError: not told */
export async function hear(own: Pick<Client, 'hear'>, heard: HeardInput): Promise<HeardView | undefined> {
  try {
    return await own.hear(heard)
  } catch (error) {
    if (isProblem(error, 'unknown-contact')) return undefined
    throw error
  }
}
