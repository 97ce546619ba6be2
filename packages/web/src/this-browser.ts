/** What this browser can do about notifications, and its subscription at its push service. */
import type { AgreementId } from '@courier-fleet/api-types'
import { pushAddressOf, shownPushAddress } from '@courier-fleet/channels'
import type { Client } from '@courier-fleet/client'

const worker = '/push-worker.js'

export type Ability = 'able' | 'blocked' | 'unable' | 'home-screen'

export function ability(): Ability {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'blocked' : 'able'
  // an iPad says that it is a Mac, which cannot be touched
  const isMobileApple =
    /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  return isMobileApple ? 'home-screen' : 'unable'
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return registration ? registration.pushManager.getSubscription() : null
}

/** As a contact of this browser is shown; undefined while it has no subscription. */
export async function ownAddress(): Promise<string | undefined> {
  const found = ability() === 'able' ? await subscription() : null
  return found ? shownPushAddress(pushAddressOf(jsonOf(found))) : undefined
}

/** To be called by a press: browsers ask nobody else. @param wording of the button. @returns whether the person has allowed it */
export async function turnOn(api: Client, wording: AgreementId): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { publicKey } = await api.pushKey()
  await navigator.serviceWorker.register(worker)
  const { pushManager } = await navigator.serviceWorker.ready
  // it may be for another key, or of whoever was signed in here before
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  try {
    await api.subscribeBrowser({ ...jsonOf(made), wording })
  } catch (error) {
    await made.unsubscribe()
    throw error
  }
  return true
}

export async function turnOff(api: Client, person: string): Promise<void> {
  await api.unlinkContact('push', person)
  await (await subscription())?.unsubscribe()
}

function jsonOf(made: PushSubscription) {
  const { endpoint = '', keys = {} } = made.toJSON()
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } }
}
