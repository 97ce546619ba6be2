/**
 * Shows what the fleet pushes to this browser, also while no page of it is open. A message has an id, and what comes again under it takes
 * the place of what is shown. Nothing is kept, and nobody is told that it was shown.
 */
const wordless = { ru: 'Новое сообщение', en: 'New message' }
const maxTitleLength = 100

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { id, text } = read(event.data)
  const { title, body } = shownAs(text)
  event.waitUntil(self.registration.showNotification(title, { body, ...(id ? { tag: id } : {}) }))
})

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
  return { title: self.navigator.language.startsWith('ru') ? wordless.ru : wordless.en, body: text }
}

async function showPage() {
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (open) await open.focus()
  else await self.clients.openWindow('/me')
}
