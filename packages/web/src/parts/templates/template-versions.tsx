import type { TemplateView } from '@courier-fleet/api-types'
import { draftOf } from '../../template-draft.ts'
import { useTemplateWords } from '../../texts/templates.ts'
import { useMoment } from '../use-moment.ts'

interface Props {
  /** the newest first */
  readonly versions: readonly TemplateView[]
  readonly onRestore: (version: TemplateView) => void
}

/** What it was, and who made it so; an earlier version can be set again. */
export function TemplateVersions({ versions, onRestore }: Props) {
  const said = useTemplateWords()
  const moment = useMoment()
  if (versions.length === 0) return null
  return (
    <section aria-labelledby="template-versions">
      <h2 id="template-versions">{said.versions}</h2>
      {versions.map((each, index) => (
        <details key={each.version}>
          <summary>
            {said.version(each.version)}: {moment(each.at)}, {each.by}
            {each.archived && `, ${said.archived}`}
          </summary>
          <Contents version={each} />
          {index > 0 && !each.archived && (
            <button type="button" aria-label={said.restoreOf(each.version)} onClick={() => onRestore(each)}>
              {said.restore}
            </button>
          )}
        </details>
      ))}
    </section>
  )
}

function Contents({ version }: { version: TemplateView }) {
  const said = useTemplateWords()
  const { name, type, texts, asked } = draftOf(version)
  return (
    <>
      <p class="hint">
        {[name.ru, name.en, ...(type === '' ? [] : [type])].join(' · ')}
        {asked.length > 0 && ` · ${said.asks(asked.map((field) => field.name).join(', '))}`}
      </p>
      {texts.map(({ language, text }) => (
        <div key={language}>
          {language !== '' && <p class="hint">{said.textIn(language)}</p>}
          <p class="bubble">{text}</p>
        </div>
      ))}
    </>
  )
}
