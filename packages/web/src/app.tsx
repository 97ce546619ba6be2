/** The page around the views: who is signed in, where one can go, and what a screen reader is told. */
import { useEffect } from 'preact/hooks'
import { Failure } from './parts/failure.tsx'
import { Header } from './parts/header.tsx'
import { later } from './parts/later.tsx'
import { useAsync } from './parts/use-async.ts'
import { operatorViews } from './routes.ts'
import { useStores, useWords } from './stores.ts'

const Compose = later(async () => (await import('./views/compose.tsx')).Compose)
const Groups = later(async () => (await import('./views/groups.tsx')).Groups)
const Import = later(async () => (await import('./views/import.tsx')).Import)
const Integrations = later(async () => (await import('./views/integrations.tsx')).Integrations)
const Me = later(async () => (await import('./views/me.tsx')).Me)
const Message = later(async () => (await import('./views/message.tsx')).Message)
const Messages = later(async () => (await import('./views/messages.tsx')).Messages)
const People = later(async () => (await import('./views/people.tsx')).People)
const Rules = later(async () => (await import('./views/rules.tsx')).Rules)
const Service = later(async () => (await import('./views/service.tsx')).Service)
const Templates = later(async () => (await import('./views/templates.tsx')).Templates)
const SignIn = later(async () => (await import('./views/sign-in.tsx')).SignIn)

/** the views that most people go to from any other */
const near = [Compose, Messages, Message, Groups]

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
  const isTrainer = session.may('trainer')
  useEffect(() => {
    if (isTrainer) return whenIdle(() => prefetchAll(near))
  }, [isTrainer])
  if (!session.current.value) return <SignIn />
  if (!isTrainer) return <Me />
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
    case 'templates':
      return session.may('staff') ? <Templates /> : <Groups />
    case 'import':
      return session.may(operatorViews[view]) ? <Import /> : <Groups />
    case 'rules':
      return session.may(operatorViews[view]) ? <Rules /> : <Groups />
    case 'service':
      return session.may(operatorViews[view]) ? <Service /> : <Groups />
    case 'integrations':
      return <Integrations />
    case 'me':
      return <Me />
  }
}

/** What cannot be loaded now is asked for again, and told, when it is shown. */
async function prefetchAll(views: readonly { prefetch(): Promise<void> }[]): Promise<void> {
  await Promise.allSettled(views.map((view) => view.prefetch()))
}

/** @returns what calls it off */
function whenIdle(act: () => unknown): () => void {
  const timer = setTimeout(act, 1000)
  return () => clearTimeout(timer)
}
