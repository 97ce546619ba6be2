/** The channels there are: a new one is one folder and one line here. */
import type { Courier, CourierDeps } from './courier.ts'

export type CreateCourier = (env: NodeJS.ProcessEnv, deps: CourierDeps) => Courier

/** Loaded on demand: a courier process needs one provider's library, not all of them. */
export const registry: Readonly<Record<string, () => Promise<CreateCourier>>> = {
  telegram: async () => (await import('./telegram/index.ts')).createTelegramCourier,
  vk: async () => (await import('./vk/index.ts')).createVkCourier,
  sms: async () => (await import('./sms/index.ts')).createSmsCourier,
}
