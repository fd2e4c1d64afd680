# find_package(wingbeat) gives the targets wingbeat::wingbeat, the shared library, and wingbeat::static.
get_filename_component(_wingbeat_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET wingbeat::wingbeat)
    add_library(wingbeat::wingbeat SHARED IMPORTED)
    set_target_properties(wingbeat::wingbeat PROPERTIES
        IMPORTED_LOCATION "${_wingbeat_prefix}/lib/@SHARED@"
        INTERFACE_INCLUDE_DIRECTORIES "${_wingbeat_prefix}/include")

    find_package(Threads REQUIRED)
    add_library(wingbeat::static STATIC IMPORTED)
    set_target_properties(wingbeat::static PROPERTIES
        IMPORTED_LOCATION "${_wingbeat_prefix}/lib/libwingbeat.a"
        INTERFACE_INCLUDE_DIRECTORIES "${_wingbeat_prefix}/include"
        INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m;$<$<PLATFORM_ID:Linux>:gcc_s>")
endif()
unset(_wingbeat_prefix)
