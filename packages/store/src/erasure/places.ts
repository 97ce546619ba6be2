/**
 * Where a person's data is, by kind of key: the table of docs/decisions/0064. Each kind of keys.ts has its row, and a test says which is
 * missing, so that nothing new is forgotten here.
 *
 *   nobody    no id of a person, no name and no address can be in it
 *   message   of a message: erase-from-message.ts does it where the walk finds its history; of a sender who is erased purge takes all of it
 *   people    taken away by removing the person from the directory, or by removing their subscriptions
 *   lapses    an audience on its way in, for ten minutes; what is made of it a later walk finds as a message
 *   named     it is theirs, and the name of the key says so; then all of it goes
 *   field     a hash by people: their field
 *   member    a set by people: their member
 *   word      a string that has their id as one of its words; then all of it goes
 *   owners    a list of ids in a field, out of which they are taken
 *   own       has a step of its own in erase-key.ts
 */
export type Place =
  | 'nobody'
  | 'message'
  | 'people'
  | 'named'
  | 'lapses'
  | 'field'
  | 'member'
  | 'word'
  | 'owners'
  | 'own'

const rows: Readonly<Record<Place, string>> = {
  nobody: `delivery pieces receipts reasons presence steps confirmed in-time confirm-of recheck due expiry held-rules laid-by channels waiting stats
    stats-hour work pause turns slots file-reference breaker open-breakers durable contact-channels inbound-addresses retention fleet figures take-overs happened alarms watcher told one-click-secret
    ready targets templates process processes groups cohorts topics cohort-groups imports import api-keys erasure-lease subscriptions-due subscription-lease`,
  message: 'merge record secret audience by-voice tried versions held sent senders about',
  people: 'people removed-people subscription subscribed subscriptions-of api-key',
  named: `quota same calls stored webhook-secrets event reminders events sessions former-name enrolment-of`,
  field: 'contacts stop wishes import-people',
  member: 'person-ids role members topic-members browser',
  lapses: 'upload',
  word: 'contact-of session sign-in enrolment',
  owners: 'group cohort topic',
  own: `applications budget limit history evidence diary waiting-online online asked dirty watched barred deliveries audit idempotency provider-id unread settings template channel-pause erasures subscription-due subscription-again subscription-views
    subscription-sending`,
}

export const places: ReadonlyMap<string, Place> = new Map(
  Object.entries(rows).flatMap(([place, kinds]) => kinds.split(/\s+/).map((kind) => [kind, place as Place] as const)),
)

/** What a key is of, by how its name begins. */
export const kindOf = (key: string): string => /^[a-z-]+/.exec(key)?.[0] ?? ''
