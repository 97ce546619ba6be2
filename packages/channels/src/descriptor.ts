/**
 * What the whole fleet needs to know of a channel, in one place. A descriptor is data and pure functions, so that it can be
 * read in a browser, by scripts and by every process; what talks to the provider stands in the channel's other folders.
 */
import type { Source } from '@courier-fleet/api-types'

export interface ChannelDescriptor {
  /** in addresses, keys, folders and, in capitals, at the start of its environment variables */
  readonly name: string
  /** 0 to 14, where a bit stands for the channel; given once, and never to another */
  readonly number: number
  /** by language */
  readonly words: { readonly en: ChannelWords; readonly ru: ChannelWords }
  readonly address: AddressForm
  readonly text: TextLimit
  /** what stands for the subject of a message that was given none; absent where messages have no subject */
  readonly subjectOf?: (text: string) => string
  /** a value in the text of a message so that it stays text; absent where nothing in a text means anything */
  readonly escapeValue?: (value: string) => string
  /** files go with the message itself, and where its provider does not take one, its link stands below the text; absent: all are links */
  readonly takesFiles?: FilesTaken
  readonly abilities: Abilities
  /** somebody may have several contacts here, each tried where those before it certainly do not reach them. Its provider must not fold resends: who is in doubt is sent to at no other address */
  readonly mayHaveSeveral?: true
  readonly settings: ChannelSettings
  /** the process that people write to; absent when nothing comes in */
  readonly inbound?: InboundProcess
  /** what the sandbox's stand-in allows, as the real service does */
  readonly sandboxLimits: Readonly<Record<string, number>>
  /** its messages are read by programs */
  readonly isForSystems?: true
  /** others may see its messages, programs or whoever sits at that browser: what is for a person's own eyes, such as a sign-in code, does not go there */
  readonly isOpenToOthers?: true
}

export interface ChannelWords {
  readonly name: string
  /** what an address is called: as a heading, and after "sign in with" */
  readonly address: string
  readonly byAddress: string
  /** what an address looks like */
  readonly hint: string
  /** how a person links their address with a one-time code, by writing to `to` where that is known; absent where nothing comes in */
  readonly link?: (code: string, to?: string) => string
  /** what a person does who wants nothing from us here; absent where there is no such thing */
  readonly block?: string
  /** what it is like once that is done */
  readonly blocked: string
  /** what has happened to a message that its provider has taken */
  readonly sent: string
  /** the same as a column has it, and as a text message has; absent where its provider tells more, and it is not confirmed yet */
  readonly shortSent?: string
  readonly shortestSent?: string
  /** what it is to be corrected and withdrawn where that is only told to a system; absent where it changes what people see */
  readonly changes?: ChangeWords
}

/** In any tense: of what is done, and of what would be. */
export interface ChangeWords {
  readonly edited: string
  readonly deleted: string
}

export interface AddressForm {
  /** of a roster; absent where nobody can write an address down */
  readonly column?: string
  /** the keyboard a browser offers */
  readonly keyboard: 'numeric' | 'tel' | 'email' | 'url'
  /** what is expected, for whoever gave something else */
  readonly expected: string
  /** The one form that is stored, or undefined when this is no address. Normalising twice changes nothing. */
  readonly normalise: (text: string, tools: AddressTools) => string | undefined
  /** what is shown of a stored one, where whoever knows all of it could write there; absent: all of it */
  readonly shown?: (address: string) => string
  /** made-up, one for each index from 0, in normal form and valid: for tests, measurements and the fault suite */
  readonly madeUp: (index: number) => string
}

/** What no descriptor should carry into a browser. */
export interface AddressTools {
  /** E.164, by the country of the fleet; undefined when this is no telephone number */
  readonly phoneNumber: (text: string) => string | undefined
}

export type TextLimit =
  /** one message in as many pieces as it takes; `maxPieceUnits` in UTF-16 units */
  | { readonly kind: 'pieces'; readonly maxPieceUnits: number }
  /** in parts of SMS, which are paid for one by one; a phone puts so many together */
  | { readonly kind: 'sms-parts'; readonly maxParts: number }
  /** any text whole */
  | { readonly kind: 'whole' }

export type Told = 'sent' | 'taken' | 'delivered' | 'read' | 'bounced'

/** With one message. */
export interface FilesTaken {
  /** of a message with more all are links */
  readonly most: number
  /** UTF-16 units of a text that files go with; beyond that all are links. Absent: of any */
  readonly maxTextUnits?: number
}

export interface Abilities {
  /** what its provider tells of a message: accepted for delivery, or taken by a system, as whose it ends; arrived, read, or came back */
  readonly tells: readonly Told[]
  /** beside that, where it is set up to (`tellRead` of the settings): up to which of its messages somebody has read */
  readonly mayTellRead?: true
  /** a resend with the same key is folded by the provider: an ambiguous recipient may be sent to again */
  readonly foldsResends: boolean
  /** what an id of one of its messages looks like; absent where nothing of what was sent can be changed */
  readonly messageId?: RegExp
  /** what people have can be given another text; absent: never */
  readonly edit?: Change
  /** what people have can be deleted at theirs; absent: never */
  readonly recall?: Change
}

export interface Change {
  /** so long after it was sent; absent: for ever */
  readonly withinMs?: number
}

export interface ChannelSettings {
  /** environment variables that lead to the real service: of the group whose first is set, all must be */
  readonly real: readonly (readonly [string, ...string[]])[]
  /** the variable that lifts or sets what the account may send a second */
  readonly rate: string
  /** so many its provider allows every account, by what it says itself; absent where that is agreed with each */
  readonly allowedPerSecond?: number
  /** what is counted of it is calls, of which one is for so many people who follow each other and read the same; else each piece of a text to each of them */
  readonly countsCalls?: number
  /** the variable that names a file of the courier's own, where its session is kept */
  readonly sessionFile?: string
  /** environment variables that lead to the sandbox's stand-in, whose endpoint this is */
  // biome-ignore lint/suspicious/noExplicitAny: each channel's own shape; `EndpointOf` has it
  readonly sandbox: (endpoint: any) => Readonly<Record<string, string>>
}

/** A process of packages/<package>; its variables begin with its name in capitals. */
export interface InboundProcess {
  readonly name: string
  readonly package: 'bot' | 'inbound'
  /** what a history says of where such a message came from */
  readonly source: Source
  /** what a phone opens to send a one-time code there; `to` is what people write to: the bot, the community or the number */
  readonly enrolmentUrl: (to: string, code: string) => string
  /** whether anything can come in with these settings of the real service; always when absent */
  readonly hears?: (env: Readonly<Record<string, string | undefined>>) => boolean
  /** variables beside those of the courier that lead to the sandbox */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly sandbox?: (endpoint: any) => Readonly<Record<string, string>>
}

/** Where a stand-in listens; what else its clients need is the channel's own. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}
