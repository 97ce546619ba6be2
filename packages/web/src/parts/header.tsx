import { operatorViews, type ViewName } from '../routes.ts'
import { type LanguageCode, languageCodes } from '../stores/language.ts'
import { useStores, useWords } from '../stores.ts'
import { Anchor } from './anchor.tsx'
import { Failure } from './failure.tsx'
import { useAsync } from './use-async.ts'

const names: Record<LanguageCode, string> = { ru: 'Русский', en: 'English' }

export function Header() {
  const { api, session, language, draft, router } = useStores()
  const words = useWords()
  const leaving = useAsync(async () => {
    await session.close(api)
    draft.clear()
    router.go({ view: 'compose' })
  })
  const choosing = useAsync(language.choose)
  const who = session.current.value
  return (
    <header>
      <div class="bar">
        <span class="brand">courier-fleet</span>
        <ul class="languages" aria-label={words.language}>
          {languageCodes.map((code) => (
            <li key={code}>
              <button
                type="button"
                lang={code}
                aria-label={`${code.toUpperCase()} ${names[code]}`}
                aria-pressed={language.code.value === code}
                onClick={() => choosing.run(code)}
              >
                {code.toUpperCase()}
              </button>
            </li>
          ))}
        </ul>
        {who && (
          <div class="who">
            <span>{who.person?.name ?? who.owner}</span>
            <button type="button" onClick={() => leaving.run()}>
              {words.nav.signOut}
            </button>
          </div>
        )}
      </div>
      <Failure error={leaving.error.value ?? choosing.error.value} />
      {who && session.may('trainer') && <Navigation />}
    </header>
  )
}

function Navigation() {
  const { router, session } = useStores()
  const { nav } = useWords()
  const shown = router.route.value.view
  const views: Exclude<ViewName, 'message'>[] = [
    'compose',
    'messages',
    ...(session.may('staff') ? (['people'] as const) : []),
    'groups',
    ...(session.may('staff') ? (['templates'] as const) : []),
    ...(session.may(operatorViews.import) ? (['import'] as const) : []),
    ...(session.may(operatorViews.service) ? (['service', 'rules'] as const) : []),
    'integrations',
    'me',
  ]
  return (
    <nav aria-label={nav.label}>
      <ul>
        {views.map((view) => (
          <li key={view}>
            <Anchor to={{ view }} current={shown === view || (shown === 'message' && view === 'messages')}>
              {nav[view]}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  )
}
