/** One control per input-parameter type. To add a type, add its line. */
import type { ComponentType } from 'react'
import { ArrayInput } from './ArrayInput.tsx'
import { AsyncMultiOptionsInput } from './AsyncMultiOptionsInput.tsx'
import { AsyncOptionsInput } from './AsyncOptionsInput.tsx'
import { CodeInput } from './CodeInput.tsx'
import { ConditionInput } from './ConditionInput.tsx'
import { CredentialInput } from './credential/CredentialInput.tsx'
import { DatagridInput } from './DatagridInput.tsx'
import { FileInput } from './FileInput.tsx'
import { FolderInput } from './FolderInput.tsx'
import { DateInput, MonthDaysInput, TimeInput, WeekdaysInput } from './schedule/pickers.tsx'
import { BooleanInput, MultiOptionsInput, NumberInput, OptionsInput, PasswordInput } from './simple.tsx'
import { TabsInput } from './TabsInput.tsx'
import { TextInput } from './TextInput.tsx'
import type { GroupInputProps } from './types.ts'

const inputs: Record<string, ComponentType<GroupInputProps>> = {
  string: TextInput,
  number: NumberInput,
  boolean: BooleanInput,
  options: OptionsInput,
  multiOptions: MultiOptionsInput,
  asyncOptions: AsyncOptionsInput,
  asyncMultiOptions: AsyncMultiOptionsInput,
  file: FileInput,
  array: ArrayInput,
  code: CodeInput,
  json: CodeInput,
  password: PasswordInput,
  credential: CredentialInput,
  timePicker: TimeInput,
  weekDaysPicker: WeekdaysInput,
  monthDaysPicker: MonthDaysInput,
  datePicker: DateInput,
  date: DateInput,
  folder: FolderInput,
  datagrid: DatagridInput,
  tabs: TabsInput,
  conditionFunction: ConditionInput,
}

/** Returns the control of a type. Unknown types are edited as text. */
export const inputFor = (type: string): ComponentType<GroupInputProps> => inputs[type] ?? TextInput
