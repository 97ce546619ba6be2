import { StringSession } from 'telegram/sessions/index.js'

/**
 * Defect: a session of gramjs keeps a row for every sight of a user, for ever. A courier names people by their id and
 * needs none of them.
 */
export class LeanSession extends StringSession {
  override processEntities(): void {}
}
