/** The page around the views: who is signed in, where one can go, and what a screen reader is told. */
import { useEffect } from 'preact/hooks'
import { Failure } from './parts/failure.tsx'
import { Header } from './parts/header.tsx'
import { later } from './parts/later.tsx'
import { useAsync } from './parts/use-async.ts'
import { useStores, useWords } from './stores.ts'
import { Compose } from './views/compose.tsx'
import { Groups } from './views/groups.tsx'
import { Me } from './views/me.tsx'
import { Message } from './views/message.tsx'
import { Messages } from './views/messages.tsx'
import { People } from './views/people.tsx'
import { SignIn } from './views/sign-in.tsx'

const Import = later(async () => (await import('./views/import.tsx')).Import)
const Integrations = later(async () => (await import('./views/integrations.tsx')).Integrations)
const Rules = later(async () => (await import('./views/rules.tsx')).Rules)

export function App() {
  const { api, session, language, notices } = useStores()
  const words = useWords()
  const loading = useAsync(() => session.load(api))
  useEffect(() => {
    loading.run()
  }, [])
  useEffect(() => {
    document.documentElement.lang = language.code.value
  }, [language.code.value])

  const known = session.current.value !== undefined
  return (
    <>
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {known ? (
          <View />
        ) : loading.error.value ? (
          <Failure error={loading.error.value} retry={loading.run} />
        ) : (
          <p>{words.loading}</p>
        )}
      </main>
      <div class="visually-hidden" role="status" aria-live="polite">
        {notices.text.value}
      </div>
    </>
  )
}

function View() {
  const { session, router } = useStores()
  const { view, key } = router.route.value
  if (!session.current.value) return <SignIn />
  if (!session.may('trainer')) return <Me />
  switch (view) {
    case 'compose':
      return <Compose />
    case 'messages':
      return <Messages />
    case 'message':
      return <Message key={key} messageKey={key ?? ''} />
    case 'people':
      return session.may('staff') ? <People /> : <Groups />
    case 'groups':
      return <Groups />
    case 'import':
      return session.may('admin') ? <Import /> : <Groups />
    case 'rules':
      return session.may('operator') ? <Rules /> : <Groups />
    case 'integrations':
      return <Integrations />
    case 'me':
      return <Me />
  }
}
