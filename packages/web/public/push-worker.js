/**
 * Shows what the fleet pushes to this browser, also while no page of it is open. A message has an id, and what comes again under it takes
 * the place of what is shown. Nothing is kept, and nobody is told that it was shown. Where a browser takes another subscription than the
 * fleet knows, the fleet is told of it for the person who had the one before; who that is cannot be asked of anybody but the fleet.
 */
const wordless = { ru: 'Новое сообщение', en: 'New message' }
const off = {
  ru: { title: 'Уведомления выключены', body: 'Браузер сменил подписку. Откройте «Мои контакты» и включите их снова.' },
  en: {
    title: 'Notifications are off',
    body: 'The browser has changed its subscription. Open “My contacts” and turn them on again.',
  },
}
const maxTitleLength = 100

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { id, text } = read(event.data)
  const { title, body } = shownAs(text)
  event.waitUntil(self.registration.showNotification(title, { body, ...(id ? { tag: id } : {}) }))
})

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(showPage())
})

/** A browser takes the right away from whoever shows nothing. */
function read(data) {
  try {
    const { id, text } = data.json()
    return { id: String(id ?? ''), text: String(text ?? '') }
  } catch {
    return { id: '', text: '' }
  }
}

/** The first line, which is who wrote it where that is told, is the title. */
function shownAs(text) {
  const [first, ...rest] = text.trim().split('\n')
  if (first !== '' && first.length <= maxTitleLength) return { title: first, body: rest.join('\n').trim() }
  return { title: inTheirs(wordless), body: text }
}

const inTheirs = ({ ru, en }) => (self.navigator.language.startsWith('ru') ? ru : en)

/** Whoever had notifications has them, or reads that they have none any more. */
async function renew({ oldSubscription, newSubscription }) {
  if (await isTold(oldSubscription, newSubscription).catch(() => false)) return
  const { title, body } = inTheirs(off)
  await self.registration.showNotification(title, { body, tag: 'push-off' })
}

/** Only for whoever is signed in here and had the subscription before, and has not said STOP. */
async function isTold(before, given) {
  if (!before) return false
  const { owner, csrfToken } = await ask('/v1/sessions/current')
  const { contacts } = await ask(`/v1/people/${encodeURIComponent(owner)}`)
  if (contacts.push?.address !== shownOf(before)) return false
  if (contacts.push.state === 'opted-out') return true
  const made = given ?? (await subscribe())
  const { endpoint, keys } = made.toJSON()
  const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken }
  const body = JSON.stringify({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } })
  return (await fetch('/v1/push-subscription', { method: 'PUT', headers, body })).ok
}

async function subscribe() {
  const { publicKey } = await ask('/v1/push-key')
  return self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

/** As the fleet shows the contact that it is. */
function shownOf(subscription) {
  const { endpoint, keys } = subscription.toJSON()
  return `${new URL(endpoint).host} …${keys.p256dh.slice(-8)}`
}

async function ask(path) {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.json()
}

async function showPage() {
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (open) await open.focus()
  else await self.clients.openWindow('/me')
}
