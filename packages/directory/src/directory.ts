/** Who there is, how to reach them, and who may write to whom. Implemented on Redis by create-directory.ts. */
import type { CallerRole, Role, Wishes } from '@courier-fleet/api-types'
import type { PackedAudience } from '@courier-fleet/store'

/** `opted-out` is the person's word, the others are the provider's. */
export type ContactState = 'active' | 'blocked' | 'deactivated' | 'invalid' | 'opted-out'

/** What the provider answered to an attempt. */
export interface Refusal {
  readonly state: ContactState
  readonly reason: string
  /** how long ago it was tried, ms: asked at the moment of the mark, which may have to wait */
  agoMs(): number
}

/** How a person agrees to be written to at an address. */
export interface Agreeing {
  /** typed a code into the channel, wrote START there, said so signed in to their own page, or applied to be put into the list */
  readonly by: 'code' | 'start' | 'page' | 'application'
  /** id of the wording they were shown; absent where they were shown none */
  readonly wording?: string | undefined
}

/** That they have. */
export interface Agreement extends Agreeing {
  /** Unix ms */
  readonly at: number
}

/** One of several that a person has on a channel. */
export type FurtherContact = Omit<Contact, 'wishes' | 'others'>

export interface Contact {
  /** in the channel's own form: Telegram user id, VK peer id, E.164 number */
  readonly address: string
  readonly state: ContactState
  /** the channel's own word for a state other than active */
  readonly reason?: string
  /** Unix ms of the last change of state */
  readonly since?: number
  /** its person has agreed to be written to there; absent where an import or the office has brought it */
  readonly agreed?: Agreement
  /** of the person; absent for nearly everyone. Nobody but they and operators are shown them */
  readonly wishes?: Wishes
  /** further ones of the person on this channel, in their order; absent for nearly everyone */
  readonly others?: FurtherContact[]
}

/** without its person's wishes, which are theirs to see */
export type PlainContact = Omit<Contact, 'wishes'>

export interface Person {
  readonly id: string
  readonly name: string
  /** id of one: what it may do rightsOf() says */
  readonly role: string
  /** IANA time zone */
  readonly timeZone: string
  /** BCP 47 */
  readonly language: string
}

/** With what texts may say of them, which is shown to them and to operators only. */
export interface PersonInFull extends Person {
  /** values by the names of fields; absent where there are none */
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/** A group of people, or a cohort (a group of groups); `owners` may send to it. */
export interface Group {
  readonly id: string
  readonly name: string
  readonly owners: readonly string[]
}

/** What people join and leave by themselves, with what it is called in each language. */
export interface Topic {
  readonly id: string
  readonly name: { readonly ru: string; readonly en: string }
  /** who may write to it, and nobody else: ids of people, and roles, each of which means those above it, too */
  readonly senders: readonly string[]
  /** whether people may join by themselves */
  readonly open: boolean
}

/** Whoever is asking: the owner of an API key, or a person. */
export interface Principal {
  readonly owner: string
  /** what they may do */
  readonly role: CallerRole
  /** whose quota and budget hold for them, where that is a role of its own and none of these */
  readonly ownRole?: string | undefined
}

export interface ImportLine {
  readonly line: number
  readonly status: 'created' | 'updated' | 'unchanged' | 'rejected'
  /** of a line that was not taken as it is written there */
  readonly person?: string
  readonly name?: string
  /** of the first mistake */
  readonly field?: string
  /** why, as a class; `message` says it for those who made the file */
  readonly code?: string
  readonly message?: string
  /** of a line that was not taken: as they are written */
  readonly cells?: readonly string[]
  /** likewise: all that is wrong with it */
  readonly mistakes?: readonly ImportMistake[]
}

export interface ImportMistake {
  /** the how manieth cell, from 1; absent when it is of the whole line */
  readonly column?: number
  readonly field?: string
  readonly code: string
  readonly message: string
  /** whose the id is that was made of what is written */
  readonly meets?: { readonly id: string; readonly name: string }
}

/** A group or cohort that a list has brought. */
export interface NewGroup {
  readonly kind: 'group' | 'cohort'
  readonly id: string
  readonly name: string
}

/** Somebody who is not in the list, and was, or would be, removed for it. */
export type Leaver = Pick<Person, 'id' | 'name'>

export interface RoleChange {
  readonly person: string
  readonly before: string | undefined
  readonly after: string
}

export interface ImportReport {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  readonly removed: number
  /** of the header, as they are written */
  readonly columns: readonly string[]
  readonly groups: readonly NewGroup[]
  readonly leavers: readonly Leaver[]
  /** of what was changed, where anything was: by it the import can be taken back for a week */
  readonly id?: string
  /** of a dry run: stands for all that it would change; an import that names it changes that, or nothing */
  readonly version?: string
  /** every line that was rejected or carries a warning; all lines when the import asked for them */
  readonly lines: readonly ImportLine[]
}

/** A list that was loaded, and can be taken back. */
export interface LoadedList {
  readonly id: string
  /** Unix ms: when it was begun, and until when it can be taken back */
  readonly atMs: number
  readonly untilMs: number
  /** false: it was cut off, or is under way */
  readonly isWhole: boolean
  readonly created: number
  readonly updated: number
  readonly removed: number
  /** people of whom something can be taken back still */
  readonly left: number
  /** Unix ms, the last time; absent: never */
  readonly takenBackMs?: number
}

/** What becomes of somebody when an import is taken back: they were new, something of them was changed, or they were removed. */
export interface TakeBackLine {
  readonly id: string
  readonly name: string
  readonly what: 'removed' | 'restored' | 'returned'
  /** nothing, for since then: their record is another, a contact, who has an address that was theirs, a group or topic of theirs, one is gone that they were in, they are being erased; or it is they who take back */
  readonly why?: 'changed' | 'contact' | 'address-taken' | 'group' | 'group-gone' | 'erased' | 'self'
  /** of somebody who goes: a message names them, so that nobody gets their id again */
  readonly isUsed?: true
}

export interface TakeBackReport {
  readonly id: string
  readonly removed: number
  readonly restored: number
  readonly returned: number
  readonly refused: number
  readonly people: readonly TakeBackLine[]
  /** groups and cohorts that go */
  readonly groups: readonly NewGroup[]
  /** those that it has made, and that stay: somebody else is in them by now, or owns them */
  readonly staying: readonly NewGroup[]
  /** of a dry run, as of an import */
  readonly version?: string
}

export interface TakeBackOptions extends Pick<ImportOptions, 'dryRun' | 'version' | 'by' | 'changeRoles'> {
  /** who is being erased */
  readonly erased?: ReadonlySet<string>
  /** whom of these a message names that was accepted since, Unix ms */
  readonly named?: (people: readonly string[], sinceMs: number) => Promise<ReadonlySet<string>>
  readonly removePerson?: (id: string, options: { isFreed: boolean }) => Promise<unknown>
  /** takes somebody out of a group of these owners, with whatever must come before or after */
  readonly takeOut?: (person: string, owners: readonly string[], make: () => Promise<unknown>) => Promise<unknown>
  /** of a group or cohort, by its token */
  readonly changeOwners?: (
    token: string,
    owners: { readonly before: readonly string[]; readonly after: readonly string[] },
    make: () => Promise<void>,
  ) => Promise<unknown>
}

export interface ImportOptions {
  readonly onProgress?: ((done: number) => void) | undefined
  readonly allLines?: boolean
  /** says what it would do, and writes nothing */
  readonly dryRun?: boolean
  /** of the dry run that was looked at: nothing is written where it would be another now */
  readonly version?: string | undefined
  /** who is of a role that is in the list, and is not in it themselves, is removed */
  readonly leavers?: boolean
  /** how many they are; needed when they are more than half */
  readonly leaversConfirmed?: number | undefined
  /** who imports: is never removed for not being in the list */
  readonly by?: string
  /** removes somebody, with whatever must go with them */
  readonly removePerson?: (id: string) => Promise<unknown>
  /** writes the roles, and whatever must come before or after; a newcomer has no `before` */
  readonly changeRoles?: (changes: readonly RoleChange[], write: () => Promise<void>) => Promise<void>
}

export interface Directory {
  /**
   * Everyone the tokens (`user:` `group:` `cohort:` `topic:` `role:`) of each message mean, each once, sorted by id in code-unit order;
   * for many messages of one sender, in order, each for itself. What several name is read once, and messages with the same
   * tokens share one audience.
   * @returns people, or a Problem: 422 `unknown-audience` (field `to.N`) · 403 `not-your-audience` when `by` may not write to it
   */
  expandMany(messages: readonly (readonly string[])[], by: Principal): Promise<(PackedAudience | Error)[]>
  /**
   * The same for one message, and how many the tokens name when whoever is in several is counted for each.
   * @throws Problem as expandMany() returns it
   */
  expandCounted(tokens: readonly string[], by: Principal): Promise<{ people: PackedAudience; named: number }>

  /** The contacts of these people on one channel, in order; of who has several the one that messages go to, before its `others`. One round trip; used for thousands at a time. */
  contactsOf(channel: string, people: readonly string[]): Promise<(Contact | undefined)[]>
  /** All contacts of these people, by channel, in order. */
  allContactsOf(people: readonly string[]): Promise<Record<string, Contact>[]>
  /** Also of people who were removed, as they were called then, while any message may name them. */
  namesOf(people: readonly string[]): Promise<(string | undefined)[]>
  /** Of `group:`, `cohort:` and `topic:` tokens, in order; undefined for one that there is not. A topic has a name in each language. */
  namesOfGroups(tokens: readonly string[]): Promise<(string | Topic['name'] | undefined)[]>
  /**
   * What a provider says of a contact, unless the person has re-linked (another address) meanwhile, or opted out, or was heard
   * after the attempt that was refused. Safe to repeat.
   */
  markContact(channel: string, person: string, address: string, refusal: Refusal): Promise<void>
  /**
   * Messages can be written to this contact, or cannot, as was heard from itself or from its provider. A STOP is left as it is.
   * @returns whether that is new
   */
  hearContact(channel: string, person: string, address: string, isOpen: boolean): Promise<boolean>
  /**
   * Links an address to a person (state active); takes it from whoever had it. A channel its person has opted out of stays
   * so with any address, unless it is the person who links it (`consents`). Of several on the channel it is the first that is another
   * from then on; one they have stays where it is. Safe to repeat.
   * @returns its stored form, and who lost it
   * @throws Problem 422 `bad-address` · 404 `unknown-person`
   */
  linkContact(
    channel: string,
    person: string,
    address: string,
    options?: { consents?: boolean; agreed?: Agreeing | undefined },
  ): Promise<{ address: string; takenFrom?: string }>
  /**
   * Links a further address, which is used where those before it certainly do not reach the person; it is taken from whoever had it. Safe to repeat.
   * @throws Problem 422 `bad-address` `one-contact` · 404 `unknown-person` · 409 `enough-contacts`
   */
  addContact(channel: string, person: string, address: string): Promise<{ address: string; takenFrom?: string }>
  /** @param address one of them; absent: all they have on the channel. @returns false when there was nothing to unlink */
  unlinkContact(channel: string, person: string, address?: string): Promise<boolean>
  /**
   * STOP and START; START makes a contact usable whatever it was before. STOP is of the person on that channel, and so is that START takes it back.
   * @param said `address`: the one of theirs that it is said from, and agreed to; absent: they say it of the channel, so of all they have there
   * @returns false when there is no such contact
   */
  setConsent(
    channel: string,
    person: string,
    allowed: boolean,
    said?: { readonly agreed?: Agreeing | undefined; readonly address?: string | undefined },
  ): Promise<boolean>
  /** Where they have said STOP and have no contact any more, whose mark it would be: by channel, with when, Unix ms. */
  stopsOf(person: string): Promise<Record<string, number>>
  wishesOf(person: string): Promise<Wishes>
  /**
   * Stores what `change` makes of them, which is asked again when somebody has changed them meanwhile. Safe to repeat.
   * @returns what they were, and are
   * @throws what `change` throws · Problem 404 `unknown-person`
   */
  changeWishes(person: string, change: (before: Wishes) => Wishes): Promise<{ before: Wishes; after: Wishes }>
  /** The stored form of an address. @throws Problem 422 `bad-address` */
  storedAddress(channel: string, address: string): string
  personOf(channel: string, address: string): Promise<string | undefined>

  /**
   * The id of somebody who was removed is given only to the same person again, which `isReturning` says.
   * @throws Problem 422 `bad-field` · 409 `removed-person`
   */
  putPerson(person: PersonInFull, options?: { isReturning?: boolean }): Promise<'created' | 'updated' | 'unchanged'>
  /** The person alone: one read. */
  findPerson(id: string): Promise<PersonInFull | undefined>
  /** The same of many, in order, with 16 commands a thousand. */
  findPeople(ids: readonly string[]): Promise<(Person | undefined)[]>
  findInFull(ids: readonly string[]): Promise<(PersonInFull | undefined)[]>
  getPerson(
    id: string,
  ): Promise<
    (PersonInFull & { contacts: Record<string, PlainContact>; groups: string[]; topics: string[] }) | undefined
  >
  listPeople(after: string, limit: number): Promise<Person[]>
  /**
   * Nobody else gets the id from then on: what is kept under it, such as their messages, stays theirs.
   * @param options `isFreed`: nothing is kept under it, and it may be given again
   */
  deletePerson(id: string, options?: { isFreed?: boolean }): Promise<boolean>

  /** What a role may do now. @returns undefined for one that there is not */
  rightsOf(role: string): Role | undefined
  /** The ids of those who have a role, whether there is one or not. */
  peopleOf(role: string): Promise<string[]>
  /** How many they are. */
  countOf(role: string): Promise<number>

  putGroup(group: Group): Promise<'created' | 'updated' | 'unchanged'>
  getGroup(id: string): Promise<(Group & { size: number }) | undefined>
  listGroups(): Promise<(Group & { size: number })[]>
  deleteGroup(id: string): Promise<boolean>
  addMembers(group: string, people: readonly string[]): Promise<number>
  removeMembers(group: string, people: readonly string[]): Promise<number>
  /** Which of these groups each of these people is in, in order: one command a group and thousand people. */
  groupsAmong(groups: readonly string[], people: readonly string[]): Promise<string[][]>
  membersOf(group: string): Promise<string[]>

  putCohort(cohort: Group & { readonly groups: readonly string[] }): Promise<'created' | 'updated' | 'unchanged'>
  getCohort(id: string): Promise<(Group & { groups: string[] }) | undefined>
  listCohorts(): Promise<(Group & { groups: string[] })[]>
  deleteCohort(id: string): Promise<boolean>

  /** @throws Problem 422 `bad-field` · `unknown-person` (field `senders.N`) */
  putTopic(topic: Topic): Promise<'created' | 'updated' | 'unchanged'>
  getTopic(id: string): Promise<(Topic & { size: number }) | undefined>
  listTopics(): Promise<(Topic & { size: number })[]>
  deleteTopic(id: string): Promise<boolean>
  /**
   * Safe to repeat. @param options `isInvited`: by an operator, who may put people into a topic that is not open
   * @returns whether that is new
   * @throws Problem 404 `unknown-topic` `unknown-person` · 403 `topic-closed`
   */
  joinTopic(topic: string, person: string, options?: { isInvited?: boolean }): Promise<boolean>
  /** @returns whether they were in it. @throws Problem 404 `unknown-topic` */
  leaveTopic(topic: string, person: string): Promise<boolean>
  /** For operators alone. */
  peopleInTopic(topic: string): Promise<string[]>
  /** The ids of those that a person is in. */
  topicsOf(person: string): Promise<string[]>

  /**
   * Imports a roster; may be repeated. Bytes as they came (UTF-8 with or without BOM; `,` or `;` or tab). The columns
   * are in this package's README. An import adds and corrects; it takes nobody away unless that is asked for.
   * @throws Problem 412 `stale-roster` · 422 `unclear-leavers` · 409 `too-many-leavers` · 422 `bad-csv` when nothing of it can be read (encoding, header) · 413 `too-large`; nothing is
   * written then. Single bad lines are in the report.
   */
  importCsv(csv: AsyncIterable<Uint8Array>, options?: ImportOptions): Promise<ImportReport>
  /** What is kept of somebody so that imports can be taken back: a name and addresses they have, or had. Also of somebody who was removed. */
  knownOfImports(person: string): Promise<{ name: string; addresses: string[] } | undefined>
  /** Those that can be taken back, the newest first. */
  listImports(): Promise<LoadedList[]>
  /**
   * Takes back what an import has changed: people who were new go, what was changed is as before, who was removed is there again.
   * Whom somebody has changed since is left as they are, and named. Taking back again does what is left.
   * @throws Problem 404 `unknown-resource` · 428 `version-needed` · 412 `stale-roster`; nothing is changed then
   */
  takeBackImport(id: string, options?: TakeBackOptions): Promise<TakeBackReport>
}

export interface ApiKey {
  readonly id: string
  readonly owner: string
  /** one of people, `inbound` or `presence` */
  readonly role: string
  /** of an inbound process: the only channels whose contacts it may speak for; any when absent */
  readonly channels?: readonly string[]
  readonly label: string
  /** Unix ms */
  readonly created: number
}

/** API keys look like `cf_<id>_<secret>`; only a SHA-256 of the secret is kept. */
export interface ApiKeys {
  create(key: {
    owner: string
    role: string
    label: string
    channels?: readonly string[] | undefined
  }): Promise<{ id: string; apiKey: string }>
  /** Compares in constant time. */
  authenticate(apiKey: string): Promise<Pick<ApiKey, 'id' | 'owner' | 'role' | 'channels'> | undefined>
  find(id: string): Promise<ApiKey | undefined>
  list(): Promise<ApiKey[]>
  revoke(id: string): Promise<boolean>
  /** Revokes all keys of this owner. @returns their ids */
  revokeOf(owner: string): Promise<string[]>
}
