/** How fast is too fast for the stand-ins. Null lifts a limit. */
export interface Limits {
  telegram: { perSecond: number | null; perChatPerSecond: number | null }
  vk: { callsPerSecond: number | null }
  /** `window`: submits of one session that wait for their answer */
  sms: { perSecond: number | null; window: number | null }
}

/** The body of `POST /limits`; what is not said stays as it is. */
export type LimitChanges = { readonly [C in keyof Limits]?: Readonly<Partial<Limits[C]>> }

export const realLimits = (): Limits => ({
  telegram: { perSecond: 30, perChatPerSecond: 1 },
  vk: { callsPerSecond: 20 },
  sms: { perSecond: 100, window: 50 },
})

export const noLimits = (): Limits => ({
  telegram: { perSecond: null, perChatPerSecond: null },
  vk: { callsPerSecond: null },
  sms: { perSecond: null, window: null },
})
