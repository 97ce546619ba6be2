/** Web push: notifications in a browser, by the push service of whoever made it. */
import type { ChannelDescriptor, Endpoint } from '../descriptor.ts'
import { madeUpKeys, normalisePushAddress, pushAddressOf, shownPushAddress } from './address.ts'

export const push = {
  name: 'push',
  number: 5,
  words: {
    en: {
      name: 'Browser notifications',
      address: 'Browser',
      byAddress: 'browser',
      hint: 'Turned on in the browser itself',
      block: 'Forbid notifications',
      blocked: 'Notifications are forbidden',
      sent: 'taken by the push service of the browser',
      shortSent: 'taken by push service',
      shortestSent: 'taken',
    },
    ru: {
      name: 'Уведомления браузера',
      address: 'Браузер',
      byAddress: 'браузеру',
      hint: 'Включаются в самом браузере',
      block: 'Запретить уведомления',
      blocked: 'Уведомления запрещены',
      sent: 'принято службой уведомлений браузера',
      shortSent: 'принято службой',
      shortestSent: 'принято',
    },
  },
  address: {
    keyboard: 'url',
    expected: "a browser's subscription; turn notifications on in the web app",
    normalise: normalisePushAddress,
    shown: shownPushAddress,
    madeUp: (index) => pushAddressOf({ endpoint: `https://push.example/${index}`, keys: madeUpKeys }),
  },
  // RFC 8030 has services take 4096 bytes, some take 3 KB: a unit is at most 3 bytes, and encryption takes 103
  text: { kind: 'pieces', maxPieceUnits: 900 },
  abilities: { tells: ['sent'], foldsResends: false },
  settings: {
    real: [['PUSH_TARGET', 'PUSH_CONTACT']],
    rate: 'PUSH_PER_SECOND',
    // each subscription names its own service: there is nothing to lead to
    sandbox: (_endpoint: Endpoint) => ({ PUSH_CONTACT: 'mailto:university@fleet.example' }),
  },
  sandboxLimits: { perSecond: 1000 },
  isOpenToOthers: true,
} as const satisfies ChannelDescriptor
