# When tests run, by their label. A test that is not named here is `unit`: less than a second of one core, on every push and under
# sanitizers. Measured with `time` on one thread; a change that makes a test longer or shorter moves its name.

# On every push: more than a second, or the whole program.
set(SINEW_CASE_TESTS
    app/adaptive app/allocations app/bending app/bidomain app/bidomain_loop app/by_modes app/cell app/contact_bodies app/coupled app/direct app/forecast app/front app/front_speed app/goes_on app/heart_known
    app/heart_told app/heated_steps app/histories app/hot_metals app/impact app/implicit_cell app/incompressible app/keeps_volume app/ldrb_hearts app/mass app/memory
    app/minimal_model app/modal app/motion app/motion_damping app/muscle app/partial_slip app/prepace app/pump_until app/purkinje app/ranks app/ranks_elastic app/ranks_faults app/ranks_finite
    app/ranks_heart app/resume app/rigid_motion app/rigid_turns app/rubber_forms app/sample app/solve app/stimuli app/stress_truth app/take_over app/ties app/torso app/tune app/unload
    app/varying_cells app/varying_tissue
    assembly/batches assembly/convergence assembly/eikonal assembly/gates_float assembly/patch assembly/shares
    bench/bidomain bench/cmg bench/heart bench/heat bench/multilevel bench/pcg bench/pmg bench/ring_hex8 bench/ring_tet10 bench/spmv bench/torso
    cases/bent_and_moved cases/blade_deck cases/fda_monodomain cases/footbridge_check cases/lever_deck cases/load_cases cases/nafems_le11 cases/necking_bar
    cases/over_frequency cases/planar_wave cases/torso_sphere cases/verify
    cli/adapt cli/bench cli/case_errors cli/commands cli/deck_joints cli/deck_loads cli/files_of_others cli/first_use cli/frd
    cli/harmonic_errors cli/heat_errors cli/hostile cli/installed cli/killed_runs cli/mesh_errors cli/monodomain_errors cli/plastic
    cli/plastic_errors cli/plot cli/pump_errors cli/python cli/ranks cli/report cli/schema cli/sinew_ccx cli/small_memory cli/solve cli/sweep cli/together cli/wheel
    differential/decks
    docs/abbreviations docs/examples docs/first-deck docs/first-heart docs/first-part docs/identifiers docs/keys docs/links docs/python docs/readme docs/shell_blocks
    faults/damage faults/fail faults/kill faults/memory faults/ranks
    golden/threads
    mesh/gmsh_formats mesh/h5 mesh/load mesh/locate mesh/mixed mesh/msh_formats mesh/msh_heart mesh/threads
    native/random
    output/damage output/writer
    physics/cell_blocks physics/gates_float physics/nineteen-as-cpp physics/ten_tusscher
    reference/calculix reference/committed reference/harmonic reference/prestress
    solver/amg_counts solver/cantilever solver/evolution solver/linear solver/linear_many solver/mat_many
    solver/pmg_counts solver/precision solver/rabbit solver/ranks solver/ranks_many solver/ranks_pmg
    structure/format structure/headers structure/kernel_headers)

# At night (.ci/nightly): twenty seconds and more, where a shorter test holds most of it.
set(SINEW_SLOW_TESTS
    app/presets
    cases/ellipsoids
    assembly/monodomain_fda_cube assembly/monodomain_spiral
    cli/bare_root cli/promises
    golden/all
    reference/calculix_suite)

# What reads the bytes of others, under sanitizers on a push although it is no unit.
set(SINEW_BYTES_TESTS
    cli/case_errors cli/files_of_others cli/hostile cli/mesh_errors
    mesh/gmsh_formats mesh/h5 mesh/load mesh/msh_formats mesh/msh_heart mesh/threads)
