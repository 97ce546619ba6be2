import { StringSession } from 'telegram/sessions/index.js'

/**
 * Defect: a session of gramjs keeps a row for every time it has seen a user, and never removes one. A courier addresses
 * people by their id and needs none of them.
 */
export class LeanSession extends StringSession {
  override processEntities(): void {}
}
